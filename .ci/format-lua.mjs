// Says which Lua files are not formatted as StyLua does it, or formats them with --write. StyLua as npm carries it has no program.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, folder, mode] = process.argv.slice(2);
const stylua = createRequire(join(modules, "from-here.js"))("@johnnymorganz/stylua");

function luaFiles(path) {
  if (statSync(path).isDirectory()) {
    return readdirSync(path).flatMap((name) => luaFiles(join(path, name)));
  }
  return path.endsWith(".lua") ? [path] : [];
}

/** The settings in `stylua.toml`, which people's editors read as well. */
function configured() {
  const config = stylua.Config.new();
  const text = readFileSync(join(folder, ".stylua.toml"), "utf8");
  const value = (name) => new RegExp(`^${name} = "?([^"\\n]+)"?$`, "m").exec(text)?.[1];
  config.column_width = Number(value("column_width"));
  config.indent_width = Number(value("indent_width"));
  config.indent_type = stylua.IndentType[value("indent_type")];
  config.syntax = stylua.LuaVersion.LuaJIT;
  return config;
}

const wrong = luaFiles(folder).filter((path) => {
  const text = readFileSync(path, "utf8");
  const formatted = stylua.formatCode(text, configured(), undefined, stylua.OutputVerification.None);
  if (formatted !== text && mode === "--write") {
    writeFileSync(path, formatted);
  }
  return formatted !== text;
});
if (wrong.length > 0 && mode !== "--write") {
  console.error(`not formatted (make format-lua does it):\n${wrong.join("\n")}`);
  process.exit(1);
}
