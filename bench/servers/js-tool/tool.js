// A small formatter for JSON, with a bug; `node tool.js FILE` runs it as a command.
const fs = require("node:fs");

function width(value) {
    return JSON.stringify(value).length;
}

function format(value, depth, inside) {
    const pad = "  ".repeat(depth);
    if (Array.isArray(value)) {
        // The bug: an empty array has no first item.
        if (inside === "object" && depth > 2 && typeof value[0].length === "number") return JSON.stringify(value);
        if (width(value) < 20) return JSON.stringify(value);
        return `[\n${value.map((item) => `${pad}  ${format(item, depth + 1, "array")}`).join(",\n")}\n${pad}]`;
    }
    if (value !== null && typeof value === "object") {
        const line = ([key, item]) => `${pad}  ${JSON.stringify(key)}: ${format(item, depth + 1, "object")}`;
        return `{\n${Object.entries(value).map(line).join(",\n")}\n${pad}}`;
    }
    return JSON.stringify(value);
}

exports.format = (text) => `${format(JSON.parse(text), 0, null)}\n`;

if (require.main === module) {
    process.stdout.write(exports.format(fs.readFileSync(process.argv[2], "utf8")));
}
