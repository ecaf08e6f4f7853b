// Works hard: much input, garbage, exceptions, the time, much output.
"use strict";
let size = 0, caught = 0;
process.stdin.on("data", (piece) => { size += piece.length; });
process.stdin.on("end", () => {
    for (let i = 0; i < 20000; i++) {
        const garbage = { list: Array.from({ length: 50 }, (_, n) => ({ n })) };
        try { garbage.nothing.at(0); } catch (error) { caught++; }
    }
    console.error(new Date().toString(), new Date().toLocaleString(), Intl.DateTimeFormat().resolvedOptions().timeZone);
    const lines = Array.from({ length: 3000 }, (_, n) => `${n}`.padStart(63, "0"));
    process.stdout.write(lines.join("\n") + `\nok ${size}\n`, () => { process.exitCode = caught === 20000 ? 0 : 2; });
});
