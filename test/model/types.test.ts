import { type Joint, model, rod, sphere } from "nodrift/bodies";
import { expect, expectTypeOf, test } from "vitest";

// Mistakes found by the compiler.

test("methods are typed by their recipes", () => {
  const m = model();
  const arm = m.body({ mass: 1, shape: sphere({ radius: 1 }) });
  const hinge = m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0] });
  expectTypeOf(hinge).toEqualTypeOf<Joint<"revolute">>();
  const force = m.torsionSpring({ joint: hinge, stiffness: 1 });
  expect(() => {
    // @ts-expect-error: a point has three coordinates
    m.revolute({ between: [m.ground, arm], at: [0, 0], axis: [0, 1, 0] });
  }).toThrow("at must be 3 numbers");
  expect(() => {
    // @ts-expect-error: no such option
    m.revolute({ between: [m.ground, arm], at: [0, 0, 0], axis: [0, 1, 0], length: 1 });
  }).toThrow("length is not an option");
  expect(() => {
    // @ts-expect-error: a force is not a joint
    m.driveAngle({ joint: force, angle: 1 });
  }).toThrow("joint must be a joint");
  expect(() => {
    // @ts-expect-error: neither mass nor density
    m.body({ shape: rod({ length: 1 }) });
  }).toThrow("mass or density is missing");
  expect(() => {
    // @ts-expect-error: inertia twice
    m.body({ mass: 1, inertia: [1, 1, 1], shape: rod({ length: 1 }) });
  }).toThrow("give inertia or shape, not both");
});
