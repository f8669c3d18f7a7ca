/** What the panel shows of a chat's turn. Pure. */
import type { AssembledTurn, Context, Layer } from "../protocol";
import type { TurnView } from "./messages";

export function asTurn(context: Context): AssembledTurn | undefined {
  return "tokenBudget" in context ? (context as AssembledTurn) : undefined;
}

export function turnOf(turn: AssembledTurn, titles: Readonly<Record<Layer, string>>): TurnView {
  const { tokenBudget, cache, report } = turn;
  const memory = report.layers.find(({ layer }) => layer === "memory");
  const pointed = new Set(turn.components.filter(({ compression }) => compression === "earlier").map(({ source }) => source));
  const saved = (memory?.items ?? [])
    .filter(({ name, state }) => state === "included" && pointed.has(name))
    .reduce((sum, { originalTokens, tokens }) => sum + Math.max(0, (originalTokens ?? tokens) - tokens), 0);
  return {
    tokens: tokenBudget.used.total,
    available: tokenBudget.available,
    cachedShare: cache.brokenBy === "first turn" ? null : cache.share,
    saved,
    layers: report.layers
      .filter(({ tokens }) => tokens > 0)
      .map(({ layer, tokens }) => ({ key: layer, title: titles[layer], tokens })),
  };
}
