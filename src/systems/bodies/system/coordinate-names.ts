import type { ModelData } from "../../../describe/model/model-data.js";

const VELOCITY = ["vx", "vy", "vz", "w1", "w2", "w3"];
const POSITION = ["x", "y", "z", "e0", "e1", "e2", "e3"];

/** Names of q and v of all bodies; states that bodies carry have their own. */
export function bodyCoordinateNames({ bodies }: Pick<ModelData, "bodies">): {
  readonly positions: readonly string[];
  readonly velocities: readonly string[];
} {
  const names = (parts: readonly string[]) =>
    bodies.flatMap(({ name, states }) =>
      parts.map((part, i) => (part === VELOCITY[i] && states?.[i]) || `${name} ${part}`),
    );
  return { positions: names(POSITION), velocities: names(VELOCITY) };
}
