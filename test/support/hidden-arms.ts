import { rod } from "nodrift/bodies";
import { type Build, bothKinds } from "./hidden-coordinates.js";

const Y = [0, 1, 0] as const;

/** Two rods in a row in the x-z plane, hanging at an angle; a spring at the elbow has an unwrapped angle. */
export const arm: Build = (m, bodies) => {
  const angle = 0.7;
  const orientation = { axis: Y, angle } as const;
  const along = (r: number) => [-r * Math.sin(angle), 0, -r * Math.cos(angle)] as const;
  const shape = rod({ length: 1 });
  const { upper, lower } = bodies([
    { name: "upper", mass: 1, shape, position: along(0.5), orientation },
    {
      name: "lower",
      mass: 2,
      shape,
      position: along(1.5),
      orientation,
      angularVelocity: [0, 30, 0],
    },
  ]);
  m.revolute({ name: "shoulder", between: [m.ground, upper!], at: [0, 0, 0], axis: Y });
  const joint = m.revolute({ name: "elbow", between: [upper!, lower!], at: along(1), axis: Y });
  m.torsionSpring({ name: "spring", joint, stiffness: 0.3, damping: 0.01 });
};

export const bothArms = () => bothKinds("arm", arm);

/** The largest difference of two lists of the same length. */
export function apart(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return Array.from(a).reduce((most, x, i) => {
    const distance = Math.abs(x - (b[i] as number));
    return Number.isNaN(distance) ? Number.POSITIVE_INFINITY : Math.max(most, distance);
  }, 0);
}
