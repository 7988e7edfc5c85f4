// Colours of a view by role.

import { colourOf, DARK, LIGHT, type Theme } from "../report/page/colours.js";
import type { Tint } from "./mesh-factory.js";

export { DARK, LIGHT, type Theme };

/** Colours of arrows in light and dark themes. */
const ARROW_COLOURS = {
  reactions: ["#c2185b", "#ff6f9f"],
  forces: ["#b35c00", "#ffb155"],
  velocities: ["#00796b", "#4dd0bd"],
} as const;

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
