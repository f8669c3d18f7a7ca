/** All pieces by section, as one tree that keys lead through: a single stop of Tab, arrows for the rest. */
import type { ItemAction, SectionView } from "../src/panel/messages";
import { el, Keyed } from "./dom";
import { Item, type ItemContext } from "./item";
import { Section } from "./section";
import type { Say } from "./text";

/** Folded until the user asks. */
const FOLDED_AT_FIRST: ReadonlySet<string> = new Set(["omitted"]);

export class Tree {
  readonly element: HTMLElement;
  private readonly sections: Keyed<SectionView, Section>;
  /** Keys of sections and items that the user has turned from what they are at first. */
  private readonly turned: Set<string>;
  private current: string | undefined;

  constructor(
    say: Say,
    act: (action: ItemAction, key: string) => void,
    turned: readonly string[],
    private readonly onDidTurn: (turned: readonly string[]) => void,
  ) {
    this.turned = new Set(turned);
    this.element = el("div", "tree", { role: "tree", "aria-label": say("items") });
    const context: ItemContext = {
      say,
      act,
      toggle: (key) => {
        this.turn(key);
      },
      isExpanded: (key) => this.isExpanded(key),
    };
    this.sections = new Keyed(this.element, (view) => new Section(view, context));
    this.element.addEventListener("keydown", (event) => {
      this.press(event);
    });
    this.element.addEventListener("focusin", (event) => {
      const key = event.target instanceof Element ? event.target.closest("[data-key]")?.getAttribute("data-key") : null;
      this.setCurrent(key ?? undefined);
    });
    this.element.addEventListener("mousedown", (event) => {
      const part = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-key]") : null;
      if (part !== null && event.target instanceof Element && event.target.closest("button, .detail") === null) {
        part.focus({ preventScroll: true });
      }
    });
  }

  update(sections: readonly SectionView[]): void {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    const index = this.visible.findIndex((part) => part.key === this.current);
    this.sections.render(sections);
    const parts = this.visible;
    if (!parts.some((part) => part.key === this.current)) {
      const next = parts[Math.min(Math.max(index, 0), parts.length - 1)];
      const before = parts[index - 1];
      // Behind the last piece of a section another section begins, which is not what the user was in.
      this.current = (next instanceof Section && before instanceof Item ? before : next)?.key;
    }
    this.setCurrent(this.current);
    if (focused !== null && document.activeElement !== focused) {
      this.refocus(focused);
    }
  }

  /** Moving or removing an element takes the focus from it; it goes back there, or to what has its place now. */
  private refocus(focused: Element): void {
    const kept = this.element.contains(focused) && focused instanceof HTMLElement && focused.offsetParent !== null;
    const target = kept ? focused : this.visible.find((part) => part.key === this.current)?.element;
    target?.focus({ preventScroll: kept });
  }

  private isExpanded(key: string): boolean {
    const isItem = key.includes("|");
    return (isItem || FOLDED_AT_FIRST.has(key)) === this.turned.has(key);
  }

  private turn(key: string): void {
    if (!this.turned.delete(key)) {
      this.turned.add(key);
    }
    for (const section of this.sections.values()) {
      section.expand();
    }
    this.setCurrent(key);
    this.onDidTurn([...this.turned]);
  }

  private get visible(): readonly (Section | Item)[] {
    return [...this.sections.values()].flatMap((section) =>
      this.isExpanded(section.key) ? [section, ...section.parts] : [section],
    );
  }

  private setCurrent(key: string | undefined): void {
    this.current = key;
    for (const section of this.sections.values()) {
      section.setReachable(section.key === key);
      for (const item of section.parts) {
        item.setReachable(item.key === key);
      }
    }
  }

  private press(event: KeyboardEvent): void {
    const parts = this.visible;
    const index = parts.findIndex((part) => part.key === this.current);
    const part = parts[index];
    if (part === undefined || event.ctrlKey || event.metaKey) {
      return;
    }
    const onButton = event.target instanceof HTMLButtonElement;
    const inText = event.target instanceof HTMLPreElement;
    if ((onButton || inText) && event.key === "Escape") {
      part.element.focus();
    } else if (inText || (onButton && (event.key === "Enter" || event.key === " "))) {
      return;
    } else if (!(event.altKey ? this.moveItem(part, event) : this.go(parts, index, event.key) || this.act(part, event))) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private moveItem(part: Section | Item, event: KeyboardEvent): boolean {
    const action = event.key === "ArrowUp" ? "up" : event.key === "ArrowDown" ? "down" : undefined;
    if (action !== undefined && part instanceof Item) {
      part.act(action);
    }
    return action !== undefined;
  }

  private go(parts: readonly (Section | Item)[], index: number, key: string): boolean {
    const part = parts[index];
    switch (key) {
      case "ArrowDown":
        return focus(parts[index + 1]);
      case "ArrowUp":
        return focus(parts[index - 1]);
      case "Home":
        return focus(parts[0]);
      case "End":
        return focus(parts.at(-1));
      case "ArrowRight":
        return this.right(part, parts[index + 1]);
      case "ArrowLeft":
        return this.left(part);
      default:
        return false;
    }
  }

  private right(part: Section | Item | undefined, next: Section | Item | undefined): boolean {
    if (part !== undefined && !this.isExpanded(part.key)) {
      this.turn(part.key);
      return true;
    }
    return part instanceof Section && next instanceof Item ? focus(next) : true;
  }

  private left(part: Section | Item | undefined): boolean {
    if (part !== undefined && this.isExpanded(part.key)) {
      this.turn(part.key);
      return true;
    }
    return focus([...this.sections.values()].find((section) => part instanceof Item && section.parts.includes(part)));
  }

  private act(part: Section | Item, event: KeyboardEvent): boolean {
    if (event.key === "Enter") {
      part.enter();
    } else if (event.key === " ") {
      this.turn(part.key);
    } else if (part instanceof Section) {
      return false;
    } else if (event.key === "p" || event.key === "P") {
      part.pin();
    } else if (event.key === "Delete") {
      part.act(event.shiftKey ? "exclude" : "leaveOut");
    } else {
      return false;
    }
    return true;
  }
}

function focus(part: Section | Item | undefined): boolean {
  part?.element.focus();
  part?.element.scrollIntoView({ block: "nearest" });
  return true;
}
