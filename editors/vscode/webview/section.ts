/** One section of the prompt, which folds. */
import type { SectionView } from "../src/panel/messages";
import { el, Keyed, type Part, setAttribute, setShown, setText } from "./dom";
import { icon } from "./icons";
import { Item, type ItemContext } from "./item";
import { figure } from "./text";
import type { PlacedItem } from "./toolbar";

export class Section implements Part<SectionView> {
  readonly element: HTMLElement;
  readonly key: string;
  private readonly title = el("span", "title");
  private readonly count = el("span", "count");
  private readonly tokens = el("span", "tokens");
  private readonly group = el("div", "group", { role: "group" });
  private readonly items: Keyed<PlacedItem, Item>;

  constructor(
    view: SectionView,
    private readonly context: ItemContext,
  ) {
    this.key = view.key;
    this.items = new Keyed(this.group, (item) => new Item(item, context));
    const head = el(
      "div",
      "head",
      {},
      el("span", "twist", {}, icon("chevron")),
      el("span", `swatch in-${view.key}`),
      this.title,
      this.count,
      this.tokens,
    );
    head.addEventListener("click", () => {
      context.toggle(this.key);
    });
    const attributes = { role: "treeitem", "aria-level": 1, tabindex: -1, "data-key": view.key };
    this.element = el("div", "section", attributes, head, this.group);
  }

  update(view: SectionView): void {
    const { say } = this.context;
    setText(this.title, view.title);
    setText(this.count, figure(view.items.length));
    setText(this.tokens, figure(view.tokens));
    setAttribute(this.element, "aria-label", `${view.title}, ${say("counted", view.items.length, view.tokens)}`);
    const omitted = view.key === "omitted";
    this.items.render(view.items.map((item) => ({ ...item, movable: view.movable, omitted })));
    this.expand();
  }

  expand(): void {
    const expanded = this.context.isExpanded(this.key);
    setAttribute(this.element, "aria-expanded", String(expanded));
    setShown(this.group, expanded);
    for (const item of this.items.values()) {
      item.expand();
    }
  }

  setReachable(reachable: boolean): void {
    setAttribute(this.element, "tabindex", reachable ? 0 : -1);
  }

  enter(): void {
    this.context.toggle(this.key);
  }


  get parts(): readonly Item[] {
    return [...this.items.values()];
  }
}
