// Small models for workers.

/** A rod that swings about y: x = sin(angle) / 2. */
export function pendulumFile(more: object = {}) {
  return {
    nodrift: 1,
    name: "pendulum",
    units: "SI",
    gravity: [0, 0, -9.81],
    parameters: { load: 1 },
    bodies: [
      {
        name: "arm",
        mass: { parameter: "load" },
        shape: { type: "rod", length: 1 },
        position: [0.5, 0, 0],
      },
    ],
    joints: [
      {
        type: "revolute",
        name: "hinge",
        between: ["ground", "arm"],
        at: [0, 0, 0],
        axis: [0, 1, 0],
      },
    ],
    ...more,
  };
}
