// Colours of a view, by what they are for.

import { colourOf, DARK, LIGHT, type Theme } from "../report/page/colours.js";
import type { Tint } from "./kit.js";

export { DARK, LIGHT, type Theme };

/** Of what is neither a body nor named by the theme. */
const OTHERS = {
  reactions: ["#c2185b", "#ff6f9f"],
  forces: ["#b35c00", "#ffb155"],
  velocities: ["#00796b", "#4dd0bd"],
} as const;

/** The colours of a mechanism with so many bodies. */
export function tintsOf(theme: Theme, bodies: number): (tint: Tint) => string {
  return (tint) => {
    if (typeof tint === "number") return tint < 0 ? theme.ground : colourOf(theme, tint, bodies);
    if (tint === "x" || tint === "y" || tint === "z") return theme.axes["xyz".indexOf(tint)]!;
    if (tint in OTHERS) return OTHERS[tint as keyof typeof OTHERS][theme === DARK ? 1 : 0];
    return theme[tint as "ground" | "soft" | "ink" | "tyre" | "accent"];
  };
}
