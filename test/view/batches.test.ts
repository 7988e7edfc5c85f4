// Meshes that are painted together: each is there where it hangs, in its colour, and none that is hidden.

import { Group, InstancedMesh, Matrix4, Scene } from "three";
import { expect, test } from "vitest";
import { IDENTITY } from "../../src/ground/algebra/vectors.js";
import { Batches } from "../../src/tools/view/batches.js";
import { Kit } from "../../src/tools/view/kit.js";

function scene(count: number) {
  const space = new Scene();
  const kit = new Kit((tint) => (tint === 0 ? "#ff0000" : "#00ff00"));
  const carrier = new Group();
  carrier.position.set(0, 0, 5);
  space.add(carrier);
  const meshes = Array.from({ length: count }, (_, i) => {
    const mesh = kit.mesh("bead", i % 2, [i, 0, 0], IDENTITY, [1, 1, 1]);
    carrier.add(mesh);
    return mesh;
  });
  const batches = new Batches(space);
  batches.take(meshes);
  const update = () => {
    space.updateMatrixWorld();
    batches.update();
  };
  const painted = () =>
    space.children
      .filter((each): each is InstancedMesh => each instanceof InstancedMesh && each.visible)
      .map((batch) => ({ batch, places: placesOf(batch) }));
  return { space, kit, carrier, meshes, batches, update, painted };
}

function placesOf(batch: InstancedMesh): readonly number[][] {
  return Array.from({ length: batch.count }, (_, i) => {
    const matrix = new Matrix4();
    batch.getMatrixAt(i, matrix);
    return matrix.elements.slice(12, 15);
  });
}

test("forty balls are one call, each at its place in the world, in its colour", () => {
  const { update, painted, meshes } = scene(40);
  update();
  const [{ batch, places }, ...others] = painted();
  expect(others).toEqual([]);
  expect(places).toEqual(meshes.map((_, i) => [i, 0, 5]));
  const colours = [...batch.instanceColor!.array.slice(0, 6)];
  expect(colours).toEqual([1, 0, 0, 0, 1, 0]);
});

test("what is hidden, itself or with what it hangs on, is not painted", () => {
  const { update, painted, meshes, carrier } = scene(5);
  meshes[1]!.visible = false;
  update();
  expect(painted()[0]!.places.map(([x]) => x)).toEqual([0, 2, 3, 4]);
  carrier.visible = false;
  update();
  expect(painted()).toEqual([]);
});

test("ghosts are painted apart, transparent", () => {
  const { update, painted, kit } = scene(6);
  kit.ghost(0);
  update();
  const found = painted().map(({ batch, places }) => {
    const { transparent, opacity } = batch.material as { transparent: boolean; opacity: number };
    return { transparent, opacity, places: places.map(([x]) => x) };
  });
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ transparent: false, opacity: 1, places: [0, 2, 4] });
  expect(found).toContainEqual({ transparent: true, opacity: 0.16, places: [1, 3, 5] });
});

test("disposing leaves nothing in the scene", () => {
  const { update, painted, batches } = scene(3);
  update();
  batches.dispose();
  expect(painted()).toEqual([]);
});
