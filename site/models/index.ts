// Gallery models that are not among the examples: documents that the site build writes to files.

import { type ModelDocument, readDocument, writeModel } from "nodrift/files";
import { whippleBicycle } from "./bicycle.js";
import { chain1000 } from "./chain-1000.js";
import { differential } from "./differential.js";
import { dropHammer } from "./drop-hammer.js";
import { engine } from "./engine.js";
import { excavator } from "./excavator.js";
import { furuta } from "./furuta.js";
import { genevaDrive } from "./geneva-drive.js";
import { klannWalker } from "./klann-walker.js";
import { robot } from "./robot.js";
import { rollingCoin } from "./rolling-coin.js";
import { scissorLift } from "./scissor-lift.js";
import { stewartPlatform } from "./stewart-platform.js";
import { stickSlip } from "./stick-slip.js";
import { suspension } from "./suspension.js";

export const models: Readonly<Record<string, () => ModelDocument>> = {
  bicycle: whippleBicycle,
  "chain-1000": chain1000,
  differential,
  "drop-hammer": dropHammer,
  engine,
  excavator,
  furuta,
  "geneva-drive": genevaDrive,
  "klann-walker": klannWalker,
  robot: () => robot(),
  "rolling-coin": rollingCoin,
  "scissor-lift": scissorLift,
  "stewart-platform": stewartPlatform,
  "stick-slip": stickSlip,
  suspension,
};

/** Returns the text of a model file. */
export function textOf(document: ModelDocument): string {
  const { model, settings } = readDocument(document, { values: Number.POSITIVE_INFINITY });
  return writeModel(model, settings);
}
