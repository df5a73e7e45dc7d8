// The server: the same check as interesting.sh, in one process. docs/servers.md describes the protocol.
const fs = require("node:fs");
const readline = require("node:readline");
const tool = require("./tool.js");

function check(path) {
    try {
        tool.format(fs.readFileSync(path, "utf8"));
    } catch (error) {
        if (error instanceof SyntaxError) return "invalid";
        return error instanceof TypeError && /reading 'length'/.test(error.message) ? "interesting" : "boring";
    }
    return "boring";
}

const say = (line) => fs.writeSync(1, JSON.stringify(line) + "\n");
say({ protocol: 1 });
readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const { serial, path } = JSON.parse(line);
    say({ serial, verdict: check(path) });
});
