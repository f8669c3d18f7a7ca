/** Times as people read them, in their own language. */
import { env, l10n } from "vscode";

const DAY_MS = 86_400_000;

/** `2026-11-21` in local time: the same for all moments of one day. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** “Today”, “Yesterday”, a weekday within the last week, else the date. */
export function dayName(ms: number, now: number): string {
  const day = dayOf(ms);
  if (day === dayOf(now)) {
    return l10n.t("Today");
  }
  if (day === dayOf(now - DAY_MS)) {
    return l10n.t("Yesterday");
  }
  if (ms < now && now - ms < 6 * DAY_MS) {
    return format(ms, { weekday: "long" });
  }
  const year = new Date(ms).getFullYear() === new Date(now).getFullYear() ? {} : ({ year: "numeric" } as const);
  return format(ms, { day: "numeric", month: "long", ...year });
}

/** `14:03`, or as the language has it. */
export function clock(ms: number): string {
  return format(ms, { hour: "numeric", minute: "2-digit" });
}

export function fullTime(ms: number): string {
  return format(ms, { dateStyle: "full", timeStyle: "medium" });
}

/** `120 ms`, `4.2 s`, `3 min 5 s` */
export function duration(ms: number): string {
  if (ms < 1_000) {
    return l10n.t("{0} ms", Math.round(ms));
  }
  if (ms < 60_000) {
    return l10n.t("{0} s", (ms / 1_000).toFixed(ms < 10_000 ? 1 : 0));
  }
  const seconds = Math.round(ms / 1_000);
  return l10n.t("{0} min {1} s", Math.floor(seconds / 60), seconds % 60);
}

function format(ms: number, options: Intl.DateTimeFormatOptions): string {
  try {
    return new Intl.DateTimeFormat(env.language, options).format(ms);
  } catch {
    return new Date(ms).toISOString(); // a time that no calendar has, or a language that Intl does not know
  }
}
