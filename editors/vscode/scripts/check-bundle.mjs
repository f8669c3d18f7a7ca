// Fails when what a window loads has grown too large: the bundle of the extension and that of its panel.
import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MOST_KB = 500;
const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), "dist");
const files = readdirSync(dist, { recursive: true }).filter((name) => /\.(js|css)$/.test(name));
const sizes = files.map((name) => [name, statSync(join(dist, name)).size / 1024]);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
if (total > MOST_KB) {
  const told = sizes.map(([name, size]) => `${name} ${size.toFixed(0)} KB`).join(", ");
  console.error(`the bundle is ${total.toFixed(0)} KB, ${MOST_KB} KB are allowed: ${told}`);
  process.exit(1);
}
