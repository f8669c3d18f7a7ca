/** The budget, section by section: a bar, its figures, and the same as a list of words. */
import type { PanelState, ShareView } from "../src/panel/messages";
import { el, Keyed, type Part, setAttribute, setShown, setText } from "./dom";
import { figure, type Say } from "./text";

export class Bar {
  readonly element: HTMLElement;
  private readonly bar = el("div", "bar", { role: "img" });
  private readonly free = el("div", "segment free");
  private readonly total = el("span", "total");
  private readonly tokenizer = el("span", "tokenizer");
  private readonly segments: Keyed<ShareView, Segment>;
  private readonly legend: Keyed<ShareView, Entry>;

  constructor(private readonly say: Say) {
    const used = el("div", "used");
    const legend = el("ul", "legend", { "aria-label": say("bar") });
    this.bar.append(used, this.free);
    this.segments = new Keyed(used, (view) => new Segment(view, say));
    this.legend = new Keyed(legend, (view) => new Entry(view, say));
    this.element = el("div", "budget-view", {}, el("div", "figures", {}, this.total, this.tokenizer), this.bar, legend);
  }

  update(state: PanelState): void {
    const { total, secondTotal } = state;
    setShown(this.element, total !== null && state.stage.kind !== "indexing");
    if (total === null) {
      return;
    }
    const used = state.shares.reduce((sum, share) => sum + share.tokens, 0);
    const words =
      secondTotal === null
        ? this.say("ofBudget", total.tokens, total.budget)
        : this.say("comparing", total.tokens, secondTotal.tokens);
    setText(this.total, words);
    setText(this.tokenizer, this.say(total.exact ? "exactly" : "estimated", total.tokenizer));
    this.segments.render(state.shares);
    this.legend.render(state.shares);
    const free = secondTotal === null ? Math.max(0, total.budget - used) : 0;
    grow(this.bar.firstElementChild, used);
    grow(this.free, free);
    setAttribute(this.free, "title", `${this.say("free")}: ${this.say("tokens", free)}`);
    const shares = state.shares.map(({ title, tokens }) => `${title}: ${figure(tokens)}`);
    setAttribute(this.bar, "aria-label", `${words}. ${shares.join(", ")}`);
  }
}

class Segment implements Part<ShareView> {
  readonly element: HTMLElement;

  constructor(
    view: ShareView,
    private readonly say: Say,
  ) {
    this.element = el("div", `segment in-${view.key}`);
  }

  update(view: ShareView): void {
    grow(this.element, view.tokens);
    setAttribute(this.element, "title", `${view.title}: ${this.say("tokens", view.tokens)}`);
  }
}

class Entry implements Part<ShareView> {
  readonly element: HTMLElement;
  private readonly title = el("span", "legend-title");
  private readonly tokens = el("span", "legend-tokens");

  constructor(
    view: ShareView,
    private readonly say: Say,
  ) {
    this.element = el("li", "", {}, el("span", `swatch in-${view.key}`), this.title, this.tokens);
  }

  update(view: ShareView): void {
    setText(this.title, view.title);
    setText(this.tokens, figure(view.tokens));
    setAttribute(this.element, "title", `${view.title}: ${this.say("tokens", view.tokens)}`);
  }
}

function grow(element: Element | null, tokens: number): void {
  if (element instanceof HTMLElement && element.style.flexGrow !== String(tokens)) {
    element.style.flexGrow = String(tokens);
  }
}
