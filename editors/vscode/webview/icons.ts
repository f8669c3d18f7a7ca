/** Our own glyphs on a 16×16 grid, drawn with the colour of the text around them. */

const PATHS = {
  chevron: "M6 4l4 4-4 4",
  ask: "M3 8h9.5M8.5 4l4 4-4 4",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  send: "M2.5 3h11v8H8l-3.500 2.500V11H2.500z",
  insert: "M8 2.5v7M5 6.5l3 3 3-3M2.5 13h11",
  document: "M4 1.5h5l3 3v10H4zM9 1.5v3h3M6 8h4M6 11h4",
  compare: "M5 2.5v9M2.5 9L5 11.5 7.5 9M11 13.5v-9M8.5 7L11 4.5 13.5 7",
  swap: "M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13",
  close: "M4 4l8 8M12 4l-8 8",
  open: "M9.5 2.5h4v4M13.5 2.5L8 8M12.5 9.5v4h-10v-10h4",
  pin: "M6 2.5h4l-.5 4 2.5 3H4l2.5-3zM8 9.5v4.5",
  unpin: "M6 2.5h4l-.5 4 2.5 3H4l2.5-3zM8 9.5v4.5M2.5 2.5l11 11",
  exclude: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M4.2 4.2l7.6 7.6",
  leaveOut: "M2.5 8h11M5 4.5h6M5 11.5h6",
  up: "M8 13V3.5M4 7.5l4-4 4 4",
  down: "M8 3v9.5M4 8.5l4 4 4-4",
  helpful: "M2.5 7.5h2.5v6H2.5zM5 8l2.5-5.5c1.200 0 1.700.8 1.500 2L8.500 6.500h4c.9 0 1.300.7 1.100 1.500l-1.200 4.500c-.2.7-.6 1-1.300 1H5",
  unhelpful:
    "M2.5 8.500h2.500v-6H2.500zM5 8l2.500 5.500c1.200 0 1.700-.8 1.500-2L8.500 9.500h4c.9 0 1.300-.7 1.100-1.500l-1.200-4.500c-.2-.7-.6-1-1.300-1H5",
  plus: "M8 3.5v9M3.5 8h9",
  minus: "M3.5 8h9",
  warning: "M8 2.5l6 11H2zM8 6.500v3.500M8 11.800v.2",
  layers: "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
} as const;

export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
