/** The page's words and figures, in the user's language. */
import type { pageStrings } from "../src/panel/strings";
import type { Strings } from "../src/panel/messages";

export type Say = (key: keyof ReturnType<typeof pageStrings>, ...values: readonly (string | number)[]) => string;

/** Says the string of a key, with `{0}` and so on replaced; numbers as the user's language writes them. */
export function sayer(strings: Strings): Say {
  return (key, ...values) =>
    (strings[key] ?? key).replace(/\{(\d)\}/g, (_whole, index: string) => {
      const value = values[Number(index)] ?? "";
      return typeof value === "number" ? figure(value) : value;
    });
}

export function figure(value: number): string {
  return value.toLocaleString(document.documentElement.lang || undefined);
}
