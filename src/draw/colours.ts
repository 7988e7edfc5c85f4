// Colours of canvas drawings in light and dark themes. All other colours are in style sheets.

export interface Theme {
  /** Fraction of surface colour mixed into faces: in the shade, and the addition in full light. */
  readonly shade: readonly [number, number];
  readonly surface: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly ground: string;
  readonly tyre: string;
  readonly accent: string;
  /** Colours of bodies and of curves in plots. */
  readonly palette: readonly string[];
  /** Saturation and lightness of colours beyond the palette, in percent. */
  readonly tint: readonly [number, number];
  readonly axes: readonly [string, string, string];
}

export const LIGHT: Theme = {
  shade: [0.18, 0.5],
  surface: "#fcfdfe",
  ink: "#1c2530",
  soft: "#56616f",
  line: "#dde3ea",
  ground: "#8b95a3",
  tyre: "#3d4652",
  accent: "#2f6fdf",
  palette: [
    "#2f6fdf",
    "#e0781a",
    "#219653",
    "#d13f56",
    "#7c56cf",
    "#0f97a6",
    "#c2489e",
    "#8c7a12",
    "#9a5f3c",
    "#4f9fd8",
    "#6fa52a",
    "#5e7186",
    "#ee6f52",
    "#4a4fc0",
  ],
  tint: [62, 48],
  axes: ["#d1343f", "#1f9254", "#2f6fdf"],
};

export const DARK: Theme = {
  shade: [0.62, -0.46],
  surface: "#131a22",
  ink: "#e8edf3",
  soft: "#9eaab9",
  line: "#2b3643",
  ground: "#7d8998",
  tyre: "#8b97a6",
  accent: "#6ea4ff",
  palette: [
    "#6ea4ff",
    "#f59b4b",
    "#4cc585",
    "#f2748a",
    "#a98af0",
    "#3fc3d0",
    "#e784c8",
    "#cdb84a",
    "#cf9872",
    "#86c8f5",
    "#a2d45e",
    "#9fb2c6",
    "#ff9a80",
    "#8f94f5",
  ],
  tint: [70, 66],
  axes: ["#ff7b84", "#4cc585", "#6ea4ff"],
};

/** Returns the colour of an index out of `count`: from the palette, or from the hue circle if it is too small. */
export function colourOf({ palette, tint }: Theme, index: number, count: number): string {
  if (count <= palette.length) return palette[index % palette.length]!;
  const hue = (215 + (300 * index) / count) % 360;
  const [saturation, lightness] = tint;
  return hslToHex(hue, saturation, lightness + (index % 2 === 0 ? 4 : -4));
}

/** f(n) = l - a max(-1, min(k - 3, 9 - k, 1)) with k = (n + hue / 30) mod 12, a = s min(l, 1 - l): CSS Color 4. */
function hslToHex(hue: number, saturation: number, lightness: number): string {
  const l = lightness / 100;
  const a = (saturation / 100) * Math.min(l, 1 - l);
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    const value = l - a * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** Mixes two colours, #rrggbb. */
export function mixed(a: string, b: string, part: number): string {
  const byte = (colour: string, i: number) => Number.parseInt(colour.slice(i, i + 2), 16);
  const bytes = [1, 3, 5].map((i) => Math.round(byte(a, i) * (1 - part) + byte(b, i) * part));
  return `#${bytes.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Makes a colour transparent. */
export function clear(colour: string, alpha: number): string {
  const byte = Math.round(255 * Math.min(1, Math.max(0, alpha)));
  return `${colour}${byte.toString(16).padStart(2, "0")}`;
}

// Present colour theme of a page.

const listeners = new Set<() => void>();
let dark: MediaQueryList | undefined;
let isPrinting = false;

/** Returns the setting of the system, which is watched from the first call on: this file loads without a page too. */
function darkSetting(): MediaQueryList {
  if (dark) return dark;
  const notify = () => {
    for (const listener of listeners) listener();
  };
  dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", notify);
  for (const type of ["beforeprint", "afterprint"]) {
    addEventListener(type, () => {
      isPrinting = type === "beforeprint";
      notify();
    });
  }
  return dark;
}

/** Returns the theme; light when printing. */
export function theme(): Theme {
  return darkSetting().matches && !isPrinting ? DARK : LIGHT;
}

/** Adds a listener for theme changes; returns a function that removes it. */
export function onTheme(listener: () => void): () => void {
  darkSetting();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Colours of arrows in light and dark themes. */
const ARROW_COLOURS = {
  reactions: ["#c2185b", "#ff6f9f"],
  forces: ["#b35c00", "#ffb155"],
  velocities: ["#00796b", "#4dd0bd"],
} as const;

/** Colours by role; bodies by index. */
export type Tint =
  | number
  | "ground"
  | "soft"
  | "ink"
  | "tyre"
  | "accent"
  | "x"
  | "y"
  | "z"
  | keyof typeof ARROW_COLOURS;

/** Returns the colours of a mechanism with `bodies` bodies. */
export function tintsOf(theme: Theme, bodies: number): (tint: Tint) => string {
  return (tint) => {
    if (typeof tint === "number") return tint < 0 ? theme.ground : colourOf(theme, tint, bodies);
    if (tint === "x" || tint === "y" || tint === "z") return theme.axes["xyz".indexOf(tint)]!;
    if (tint in ARROW_COLOURS)
      return ARROW_COLOURS[tint as keyof typeof ARROW_COLOURS][theme === DARK ? 1 : 0];
    return theme[tint as "ground" | "soft" | "ink" | "tyre" | "accent"];
  };
}
