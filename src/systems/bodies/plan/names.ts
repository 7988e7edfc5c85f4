import { NodriftError } from "../../../base/errors.js";
import type { ModelData } from "../../../model/model-data.js";
import { hint, show } from "../../../model/option-checks.js";

/** Returns the index of a body, by its name. */
export function bodyNamed({ bodies }: ModelData, name: string, where: string): number {
  const body = bodies.findIndex((each) => each.name === name);
  if (body >= 0) return body;
  const known = bodies.map((each) => each.name);
  throw new NodriftError(
    "DESCRIPTION",
    `${where}: there is no body ${show(name)}${hint(name, known)}`,
  );
}

const POSITION = ["x", "y", "z", "e0", "e1", "e2", "e3"];
const VELOCITY = ["vx", "vy", "vz", "w1", "w2", "w3"];

/** Names of all positions, body by body. */
export function positionNames({ bodies }: ModelData): string[] {
  return bodies.flatMap(({ name }) => POSITION.map((part) => `${name} ${part}`));
}

/** Names of all velocities; those of auxiliary bodies are the names of their states. */
export function velocityNames({ bodies }: ModelData): string[] {
  return bodies.flatMap(({ name, states }) =>
    VELOCITY.map((part, i) => states?.[i] || `${name} ${part}`),
  );
}
