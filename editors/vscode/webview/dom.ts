/** Small helpers over the DOM that write only what differs, so that what did not change is not touched. */

type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** An element with classes, attributes and children. Text is always set as text, never parsed. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  classes = "",
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (classes !== "") {
    element.className = classes;
  }
  for (const [name, value] of Object.entries(attributes)) {
    setAttribute(element, name, value);
  }
  element.append(...children);
  return element;
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Null and false take the attribute away, true sets it empty. */
export function setAttribute(element: Element, name: string, value: string | number | boolean | null): void {
  const wanted = value === true ? "" : value === false || value === null ? null : String(value);
  if (wanted === null) {
    if (element.hasAttribute(name)) {
      element.removeAttribute(name);
    }
  } else if (element.getAttribute(name) !== wanted) {
    element.setAttribute(name, wanted);
  }
}

export function setShown(element: HTMLElement, shown: boolean): void {
  if (element.hidden === shown) {
    element.hidden = !shown;
  }
}

/** Makes `wanted` the children of `parent`, moving only what is not in its place. */
export function setChildren(parent: Element, wanted: readonly Element[]): void {
  const kept = new Set(wanted);
  for (const child of [...parent.children]) {
    if (!kept.has(child)) {
      child.remove();
    }
  }
  let next = parent.firstElementChild;
  for (const child of wanted) {
    if (child === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(child, next);
    }
  }
}

/** Something with an element of its own that follows a view. */
export interface Part<V> {
  readonly element: HTMLElement;
  update(view: V): void;
}

/** Parts by key: the same key keeps its element from one rendering to the next. */
export class Keyed<V extends { readonly key: string }, P extends Part<V>> {
  private parts = new Map<string, P>();

  constructor(
    private readonly parent: Element,
    private readonly create: (view: V) => P,
  ) {}

  render(views: readonly V[]): void {
    const parts = new Map<string, P>();
    for (const view of views) {
      const part = this.parts.get(view.key) ?? this.create(view);
      part.update(view);
      parts.set(view.key, part);
    }
    this.parts = parts;
    setChildren(
      this.parent,
      [...parts.values()].map((part) => part.element),
    );
  }

  values(): Iterable<P> {
    return this.parts.values();
  }
}
