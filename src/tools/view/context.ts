// WebGL for a view: with smooth edges where a graphics card paints.

import { NodriftError } from "../../ground/errors.js";
import { make } from "../report/page/dom.js";

/** What programs call themselves that paint by the processor. */
const BY_PROCESSOR = /swiftshader|llvmpipe|softpipe|software|basic render/i;

export interface FoundContext {
  readonly context: WebGL2RenderingContext;
  /** Whether the processor paints in place of a graphics card. */
  readonly isSlow: boolean;
}

/** Of the page: found once. */
let isKnownSlow: boolean | undefined;

/**
 * Asked for here, because three would complain to the console where there is none. Where the processor paints, smooth edges
 * cost two thirds of a frame (117 ms against 33 ms for the HMMWV, SwiftShader): there it paints without. Browsers can also be asked to refuse a
 * context that is slow, but Chromium grants SwiftShader all the same.
 */
export function contextOf(canvas: HTMLCanvasElement): FoundContext {
  isKnownSlow ??= isSlow();
  const context = canvas.getContext("webgl2", {
    antialias: !isKnownSlow,
    powerPreference: "low-power",
  });
  if (context === null) throw new NodriftError("LOAD", "view: there is no WebGL");
  return { context, isSlow: isKnownSlow };
}

/** Who paints is only told by a context, and whether edges are smooth is said when one is made: so a first one is thrown away. */
function isSlow(): boolean {
  const context = make("canvas", { width: "1", height: "1" }).getContext("webgl2");
  if (context === null) return false;
  const name = nameOf(context);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return BY_PROCESSOR.test(name);
}

/** Firefox tells the name at once, and writes to the console if it is asked as others must be. */
function nameOf(context: WebGL2RenderingContext): string {
  const name = String(context.getParameter(context.RENDERER));
  if (name !== "WebKit WebGL") return name;
  const more = context.getExtension("WEBGL_debug_renderer_info");
  return more === null ? name : String(context.getParameter(more.UNMASKED_RENDERER_WEBGL));
}
