/** One piece of the prompt: a row, and on request its text with everything that can be done with it. */
import type { ItemAction } from "../src/panel/messages";
import { el, type Part, setAttribute, setShown, setText } from "./dom";
import { icon } from "./icons";
import { figure, type Say } from "./text";
import { ALL, allows, type PlacedItem, QUICK, Toolbar } from "./toolbar";

export interface ItemContext {
  readonly say: Say;
  readonly act: (action: ItemAction, key: string) => void;
  readonly toggle: (key: string) => void;
  readonly isExpanded: (key: string) => boolean;
}

export class Item implements Part<PlacedItem> {
  readonly element: HTMLElement;
  readonly key: string;
  private readonly folder = el("span", "folder");
  private readonly name = el("span", "name");
  private readonly place = el("span", "place");
  private readonly symbol = el("code", "symbol");
  private readonly why = el("span", "why");
  private readonly badge = el("span", "badge");
  private readonly level = el("span", "level");
  private readonly meter = el("span", "meter", {}, this.level);
  private readonly tokens = el("span", "tokens");
  private readonly row: HTMLElement;
  private readonly quick: Toolbar;
  private detail: Detail | undefined;
  private reachable = false;

  constructor(
    private view: PlacedItem,
    private readonly context: ItemContext,
  ) {
    this.key = view.key;
    this.quick = new Toolbar(context.say, "quick", QUICK, (action) => {
      this.act(action);
    });
    const twist = el("span", "twist", {}, icon("chevron"));
    twist.addEventListener("click", (event) => {
      event.stopPropagation();
      context.toggle(this.key);
    });
    const source = el("span", "source", {}, this.folder, this.name, this.place);
    const about = el("span", "about", {}, this.symbol, this.why);
    const figures = el("span", "figures", {}, this.badge, this.meter);
    const lines = [
      el("div", "line", {}, source, this.tokens),
      el("div", "line more", {}, about, figures, this.quick.element),
    ];
    this.row = el("div", view.hasFile ? "row" : "row wordy", {}, twist, ...lines);
    this.row.addEventListener("click", () => {
      this.click();
    });
    this.element = el("div", "item", { role: "treeitem", "aria-level": 2, tabindex: -1, "data-key": view.key }, this.row);
  }

  update(view: PlacedItem): void {
    this.view = view;
    setText(this.folder, view.folder);
    setText(this.name, view.name);
    setText(this.place, view.place);
    setText(this.symbol, view.symbol);
    setShown(this.symbol, view.symbol !== "");
    setText(this.why, view.why);
    setText(this.badge, view.compression);
    setShown(this.badge, view.compression !== "");
    setText(this.tokens, figure(view.tokens));
    this.showScore(view.score);
    setAttribute(this.row, "title", [placeOf(view), view.symbol, view.why].filter((part) => part !== "").join("\n"));
    setAttribute(this.element, "aria-label", this.label());
    this.quick.update(view);
    this.expand();
  }

  /** Shows or hides the text as the context says. */
  expand(): void {
    const expandable = this.view.text !== "" || !this.view.omitted;
    const expanded = expandable && this.context.isExpanded(this.key);
    setAttribute(this.element, "aria-expanded", expandable ? String(expanded) : null);
    if (expanded && this.detail === undefined) {
      this.detail = new Detail(this.context.say, (action) => {
        this.act(action);
      });
      this.detail.toolbar.setReachable(this.reachable);
      this.element.append(this.detail.element);
    }
    if (this.detail !== undefined) {
      setShown(this.detail.element, expanded);
      this.detail.update(this.view);
    }
  }

  /** Makes this the piece that Tab leads to, or not. */
  setReachable(reachable: boolean): void {
    this.reachable = reachable;
    setAttribute(this.element, "tabindex", reachable ? 0 : -1);
    this.quick.setReachable(reachable);
    this.detail?.toolbar.setReachable(reachable);
  }

  /** What Enter means here. */
  enter(): void {
    if (this.view.hasFile) {
      this.act("open");
    } else {
      this.context.toggle(this.key);
    }
  }

  /** Does what is possible with this piece; the rest is ignored. */
  act(action: ItemAction): void {
    if (allows(this.view, action)) {
      this.context.act(action, this.key);
    }
  }

  pin(): void {
    this.act(this.view.pinned ? "unpin" : "pin");
  }

  private click(): void {
    if (this.view.hasFile) {
      this.act("peek");
    } else {
      this.context.toggle(this.key);
    }
  }

  private showScore(score: number | null): void {
    setShown(this.meter, score !== null);
    const shown = Math.max(0, Math.min(1, score ?? 0));
    const width = `${Math.round(shown * 100)}%`;
    if (this.level.style.width !== width) {
      this.level.style.width = width;
    }
    setAttribute(this.meter, "title", this.context.say("score", (score ?? 0).toFixed(2)));
  }

  private label(): string {
    const { say } = this.context;
    const { view } = this;
    const parts = [
      placeOf(view),
      view.symbol,
      say("itemTokens", view.tokens),
      view.score === null ? "" : say("score", view.score.toFixed(2)),
      view.compression,
      view.pinned ? say("isPinned") : "",
      view.why,
    ];
    return parts.filter((part) => part !== "").join(", ");
  }
}

class Detail {
  readonly element: HTMLElement;
  readonly toolbar: Toolbar;
  private readonly reason = el("div", "reason");
  private readonly text = el("pre", "text", { tabindex: 0 });

  constructor(say: Say, act: (action: ItemAction) => void) {
    this.toolbar = new Toolbar(say, "toolbar", ALL, act);
    this.element = el("div", "detail", {}, this.toolbar.element, this.reason, this.text);
  }

  update(view: PlacedItem): void {
    this.toolbar.update(view);
    setText(this.reason, view.why);
    setText(this.text, view.text);
    setShown(this.text, view.text !== "");
  }
}

function placeOf({ folder, name, place }: PlacedItem): string {
  return `${folder}${name}${place}`;
}
