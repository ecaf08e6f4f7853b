// What an honest bot uses of its library.
"use strict";
const assert = require("assert");
const crypto = require("crypto");
const events = require("events");
const fs = require("fs");
const os = require("os");
const path = require("path");
const readline = require("readline");
const util = require("util");
const { performance } = require("perf_hooks");
const { setTimeout: sleep } = require("timers/promises");
const { Worker, isMainThread } = require("worker_threads");
require("child_process");
require("http");
require("net");
require("zlib");

class Hand extends events.EventEmitter {
    constructor(cards) { super(); this.cards = new Set(cards); }
    *[Symbol.iterator]() { yield* this.cards; }
}

async function main() {
    assert(isMainThread && Worker);
    const words = new Map();
    for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity }))
        for (const word of line.trim().split(/\s+/)) words.set(word, (words.get(word) ?? 0) + 1);
    const hand = new Hand([..."dkc2"].sort(() => Math.random() - 0.5));
    hand.once("card", (card) => process.stderr.write(util.inspect({ card }) + "\n"));
    hand.emit("card", [...hand][0]);
    assert(crypto.randomInt(52) < 52 && crypto.createHash("sha256").update("x").digest("hex").length === 64);
    assert(JSON.parse(JSON.stringify({ a: [1, null] })).a[1] === null && 12n ** 20n > 0n);
    assert(!fs.existsSync("weights.json") && path.join("a", "..", "b") === "b");
    try { fs.readFileSync("weights.json"); } catch (error) { console.error(error.code); }
    assert(os.cpus().length >= 0 && os.totalmem() > 0 && process.hrtime.bigint() > 0n && performance.now() > 0);
    assert(new Date().getFullYear() > 2000 && new Intl.NumberFormat("en").format(1000) === "1,000");
    try { throw new TypeError("on purpose"); } catch (error) { console.error(error.stack); }
    await Promise.all([sleep(1), new Promise(setImmediate), new Promise(process.nextTick)]);
    process.on("SIGTERM", () => {});
    console.log("ok");
    process.exit(0);
}
main();
