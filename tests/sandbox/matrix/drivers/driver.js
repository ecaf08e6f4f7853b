// Does what it is told on standard input, with its library.
"use strict";
const child = require("child_process");
const dgram = require("dgram");
const fs = require("fs");
const net = require("net");
const os = require("os");
const readline = require("readline");
const { Worker } = require("worker_threads");

let count = 0;
const hoard = [];
const say = (text) => fs.writeSync(1, text + "\n");

function soon(begin) {
    return new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("late")), 500);
        begin(resolve, reject);
    });
}

function send(options, text) {
    return soon((resolve, reject) => {
        const line = net.connect(options, () => line.end(text, () => resolve()));
        line.on("error", reject);
    });
}

const deeds = {
    read: (path) => { const file = fs.openSync(path), data = Buffer.alloc(256); return data.subarray(0, fs.readSync(file, data)); },
    stat: (path) => void fs.statSync(path),
    list: (path) => Buffer.from(fs.readdirSync(path).join(" ")),
    readlink: (path) => Buffer.from(fs.readlinkSync(path)),
    write: (path, text) => fs.writeFileSync(path, text),
    remove: (path) => fs.rmSync(path),
    rename: (from, to) => fs.renameSync(from, to),
    folder: (path) => void fs.mkdirSync(path),
    link: (target, path) => fs.symlinkSync(target, path),
    mode: (path, mode) => fs.chmodSync(path, parseInt(mode, 8)),
    enter: (path) => process.chdir(path),
    temporary: () => void fs.mkdtempSync("/tmp/x"),
    watch: (path) => void fs.watch(path).close(),
    tcp: (port, text) => send({ host: "127.0.0.1", port }, text),
    unix: (path, text) => send({ path: path.replace(/^@/, "\0") }, text),
    udp: (port, text) => soon((resolve, reject) => {
        const line = dgram.createSocket("udp4");
        line.on("error", reject);
        line.send(text, port, "127.0.0.1", (error) => { line.close(); error ? reject(error) : resolve(); });
    }),
    serve: (port) => soon((resolve, reject) => {
        const server = net.createServer().on("error", reject).listen(port, () => server.close(() => resolve()));
    }),
    run: (path) => { const done = child.spawnSync(path); if (done.error) throw done.error; return done.stdout; },
    kill: (pid, signal) => process.kill(Number(pid), Number(signal)),
    load: (path) => process.dlopen({ exports: {} }, path),
    priority: () => os.setPriority(-5),
    environment: (name) => Buffer.from(process.env[name] ?? ""),
    thread: () => soon((resolve, reject) => {
        const thread = new Worker("", { eval: true });
        thread.on("error", reject).on("exit", () => resolve());
    }),
    memory: (size) => { for (let i = 0; i < size / 1048576; i++) hoard.push(Buffer.alloc(1048576, i)); },
    flood: (size) => { for (let i = 0; i < size / 64; i++) say("x".repeat(63)); },
    host: () => Buffer.from(`${os.totalmem()} ${os.freemem()} ${os.uptime()} ${os.loadavg()} ${os.hostname()}`),
};

async function main() {
    const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    for (;;) {
        const { value, done } = await lines.next();
        const [op, ...words] = done ? ["e"] : value.split(" ");
        if (op === "e") break;
        if (op === "hold") { say("held"); await lines.next(); continue; }
        if (op === "burn") { for (const ends = Date.now() + Number(words[0]); Date.now() < ends;); continue; }
        let failed = 0, data;
        if (!deeds[op]) { say("u no such thing in its library"); failed = -1; }
        else try { data = await deeds[op](...words); } catch (error) { failed = -1; }
        say(`c ${++count} ${failed}`);
        if (data) say("d " + data.toString("hex"));
    }
    say("end");
    process.exit(0);
}
main();
