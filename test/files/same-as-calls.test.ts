// A file and the same calls of `model()` give the same bits.

import {
  type BodyOptions,
  box,
  cylinder,
  forces,
  joints,
  type MarkerOptions,
  model,
  rod,
  sphere,
} from "nodrift/bodies";
import { type JsonObject, readDocument } from "nodrift/files";
import { describe, expect, test } from "vitest";
import { allCases, documentWith, modelWith } from "./support/all-types.js";
import { expectSameMotion } from "./support/bits.js";

describe("joints, drives and forces", () => {
  test("include all types of the package except those of program functions", () => {
    const documented = (list: string) =>
      new Set(allCases.filter((one) => one.list === list).map(({ type }) => type));
    expect([...documented("joints"), "constraint"].sort()).toEqual(Object.keys(joints).sort());
    expect([...documented("forces")].sort()).toEqual(Object.keys(forces).sort());
  });

  test.each(allCases.map((one) => [one.title, one] as const))("%s", async (_, one) => {
    await expectSameMotion(readDocument(documentWith([one])).model, modelWith([one]));
  });
});

const mass = { mass: 2 } as const;
const turned = 0.25 * Math.PI;
const [c, s] = [Math.cos(turned), Math.sin(turned)];
const rows = [
  [c, -s, 0],
  [s, c, 0],
  [0, 0, 1],
] as const;
const columns = [c, s, 0, -s, c, 0, 0, 0, 1];
const tensor = [
  [0.5, 0.02, 0.01],
  [0.02, 0.6, 0],
  [0.01, 0, 0.7],
] as const;

/** A body as a file has it, and as the call takes it where that differs. */
const bodies: Record<string, [JsonObject, BodyOptions?]> = {
  "three moments": [{ ...mass, inertia: [0.1, 0.2, 0.25] }],
  "a tensor by rows": [{ ...mass, inertia: tensor }],
  "a tensor by columns": [{ ...mass, inertia: tensor.flat() }],
  "principal moments": [{ ...mass, inertia: { principal: [0.1, 0.2, 0.25] } }],
  "turned principal axes": [
    { ...mass, inertia: { principal: [0.1, 0.2, 0.25], axes: { axis: [1, 0, 1], angle: 0.3 } } },
  ],
  "inertia about the origin": [
    { ...mass, centre: [0.3, 0, 0], inertia: { tensor: [0.1, 0.7, 0.7], about: "origin" } },
  ],
  "principal moments about the origin": [
    {
      ...mass,
      centre: [0, 0.2, 0],
      inertia: { principal: [0.5, 0.4, 0.6], axes: [0, 1, 0, 0], about: "origin" },
    },
  ],
  "a tensor about the centre": [{ ...mass, inertia: { tensor, about: "centre" } }],
  "a box of some density": [
    { density: 7850, shape: { type: "box", x: 0.3, y: 0.05, z: 0.02 } },
    { density: 7850, shape: box({ x: 0.3, y: 0.05, z: 0.02 }) },
  ],
  "a rod": [
    { ...mass, shape: { type: "rod", length: 0.7, axis: [1, 1, 0] } },
    { ...mass, shape: rod({ length: 0.7, axis: [1, 1, 0] }) },
  ],
  "a cylinder of some density": [
    { density: 900, shape: { type: "cylinder", radius: 0.1, length: 0.4 } },
    { density: 900, shape: cylinder({ radius: 0.1, length: 0.4 }) },
  ],
  "a shell": [
    { ...mass, shape: { type: "sphere", radius: 0.2, shell: true } },
    { ...mass, shape: sphere({ radius: 0.2, shell: true }) },
  ],
  "a ball": [
    { density: 500, shape: { type: "sphere", radius: 0.2 } },
    { density: 500, shape: sphere({ radius: 0.2 }) },
  ],
  "an axis and an angle": [
    { ...mass, inertia: [1, 1.2, 1.3], orientation: { axis: [1, 2, 2], angle: -2 } },
  ],
  "a quaternion": [{ ...mass, inertia: [1, 1.2, 1.3], orientation: [0.6, 0, -0.8, 0] }],
  "a matrix by rows": [{ ...mass, inertia: [1, 1.2, 1.3], orientation: rows }],
  "a matrix by columns": [{ ...mass, inertia: [1, 1.2, 1.3], orientation: columns }],
  "angular velocity in the world": [
    { ...mass, inertia: [1, 1.2, 1.3], orientation: rows, angularVelocity: [1, 2, 3] },
  ],
  "angular velocity in its own axes": [
    { ...mass, inertia: [1, 1.2, 1.3], orientation: rows, angularVelocity: { body: [1, 2, 3] } },
  ],
  "a velocity": [{ ...mass, inertia: [1, 1.2, 1.3], velocity: [0.1, 0, -0.3] }],
};

describe("bodies", () => {
  test.each(Object.entries(bodies))("by %s", async (_, [entry, options]) => {
    const place = { name: "part", position: [0.1, 0.2, 0.3] } as const;
    const m = model({ name: "one", gravity: [0, 1, -9] });
    const part = m.body({ ...place, ...(options ?? (entry as unknown as BodyOptions)) });
    // Off its centre, so that inertia and orientation show in the motion.
    m.pointForce({ on: part, at: [0.3, 0.1, 0.2], force: [1, 2, 3], frame: "body" });
    const load = { type: "pointForce", on: "part", at: [0.3, 0.1, 0.2], force: [1, 2, 3] };
    const file = readDocument({
      nodrift: 1,
      name: "one",
      units: "SI",
      gravity: [0, 1, -9],
      bodies: [{ ...place, ...entry }],
      forces: [{ ...load, frame: "body" }],
    });
    await expectSameMotion(file.model, m);
  });
});

describe("markers", () => {
  const markers: Record<string, MarkerOptions> = {
    "at the origin": {},
    "at a point of the body": { at: [0.1, 0.2, 0.3] },
    "with an axis": { axis: [0, 1, 1] },
    "with both axes": { at: [0.1, 0, 0], axis: [0, 1, 1], x: [1, 0, 1] },
    "in the world": { at: [0.1, 0, 0.5], axis: [0, 1, 0], frame: "world" },
  };

  test.each(Object.entries(markers))("%s, of bodies and of the ground", async (_, options) => {
    const part = { mass: 1, inertia: [1, 1.2, 1.3], orientation: [0.6, 0, -0.8, 0] } as const;
    const m = model({ name: "one", gravity: [0, 1, -9] });
    const [first, second] = [m.body(part), m.body({ ...part, position: [1, 0, 0] })];
    const ends = [first, second, m.ground].map((body) => body.marker(options));
    m.bushing({ between: [ends[0], ends[1]], stiffness: { translation: 5, rotation: 2 } });
    m.bushing({ between: [ends[2], ends[1]], stiffness: { translation: 3, rotation: 4 } });
    const entry = options as JsonObject;
    const [one, two] = ["body 1", "body 2"].map((of) => ({ marker: "marker 1", of }));
    const ground = { marker: "marker 1", of: "ground" };
    const bushing = (between: JsonObject[], translation: number, rotation: number) => {
      return { type: "bushing", between, stiffness: { translation, rotation } };
    };
    const file = readDocument({
      nodrift: 1,
      name: "one",
      units: "SI",
      gravity: [0, 1, -9],
      ground: { markers: [entry] },
      bodies: [
        { ...part, markers: [entry] },
        { ...part, position: [1, 0, 0], markers: [entry] },
      ],
      forces: [bushing([one, two], 5, 2), bushing([ground, two], 3, 4)],
    });
    await expectSameMotion(file.model, m, { span: [0, 0.2] });
  });
});
