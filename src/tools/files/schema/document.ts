import * as v from "valibot";
import { FORMAT, type ModelDocument } from "../document/document.js";
import { namedFunction } from "./functions.js";
import { body, controller, force, joint, markers, states } from "./mechanism.js";
import { events, modes, output, solve, start, units, view } from "./settings.js";
import { list, name, number, record, text, vector } from "./values.js";

/** How many of each there may be. */
const BODIES = 5000;
const JOINTS = 20_000;
const FUNCTIONS = 1000;

/** A whole file. */
export const documentSchema = record({
  $schema: v.optional(text),
  nodrift: v.literal(
    FORMAT,
    `must be ${FORMAT}: the version of the format that this version of nodrift reads`,
  ),
  name,
  description: v.optional(text),
  units,
  gravity: vector,
  parameters: v.optional(v.record(name, number)),
  functions: v.optional(list(namedFunction, FUNCTIONS)),
  ground: v.optional(record({ markers })),
  bodies: list(body, BODIES, 1),
  joints: v.optional(list(joint, JOINTS)),
  forces: v.optional(list(force, JOINTS)),
  states: v.optional(list(states, FUNCTIONS)),
  controllers: v.optional(list(controller, FUNCTIONS)),
  start: v.optional(start),
  solve: v.optional(solve),
  output: v.optional(output),
  events: v.optional(events),
  modes: v.optional(modes),
  view: v.optional(view),
}) as unknown as v.GenericSchema<unknown, ModelDocument>;
