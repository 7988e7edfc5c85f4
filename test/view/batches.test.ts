// Instanced drawing: poses, colours and visibility of the meshes.

import { Group, InstancedMesh, Matrix4, Scene } from "three";
import { expect, test } from "vitest";
import { IDENTITY } from "../../src/base/algebra/vectors.js";
import { MeshFactory } from "../../src/view/mesh-factory.js";
import { InstancedBatches } from "../../src/view/picture.js";

function scene(count: number) {
  const space = new Scene();
  const meshFactory = new MeshFactory((tint) => (tint === 0 ? "#ff0000" : "#00ff00"));
  const carrier = new Group();
  carrier.position.set(0, 0, 5);
  space.add(carrier);
  const meshes = Array.from({ length: count }, (_, i) => {
    const mesh = meshFactory.mesh("bead", i % 2, [i, 0, 0], IDENTITY, [1, 1, 1]);
    carrier.add(mesh);
    return mesh;
  });
  const batches = new InstancedBatches(space);
  batches.setMeshes(meshes);
  const update = () => {
    space.updateMatrixWorld();
    batches.update();
  };
  const drawn = () =>
    space.children
      .filter((each): each is InstancedMesh => each instanceof InstancedMesh && each.visible)
      .map((batch) => ({ batch, places: placesOf(batch) }));
  return { space, meshFactory, carrier, meshes, batches, update, drawn };
}

function placesOf(batch: InstancedMesh): readonly number[][] {
  return Array.from({ length: batch.count }, (_, i) => {
    const matrix = new Matrix4();
    batch.getMatrixAt(i, matrix);
    return matrix.elements.slice(12, 15);
  });
}

test("InstancedBatches draws forty balls in one call, with their poses and colours", () => {
  const { update, drawn, meshes } = scene(40);
  update();
  const [{ batch, places }, ...others] = drawn();
  expect(others).toEqual([]);
  expect(places).toEqual(meshes.map((_, i) => [i, 0, 5]));
  const colours = [...batch.instanceColor!.array.slice(0, 6)];
  expect(colours).toEqual([1, 0, 0, 0, 1, 0]);
});

test("InstancedBatches omits meshes that are hidden, or whose parents are", () => {
  const { update, drawn, meshes, carrier } = scene(5);
  meshes[1]!.visible = false;
  update();
  expect(drawn()[0]!.places.map(([x]) => x)).toEqual([0, 2, 3, 4]);
  carrier.visible = false;
  update();
  expect(drawn()).toEqual([]);
});

test("InstancedBatches draws faded meshes in a separate transparent batch", () => {
  const { update, drawn, meshFactory } = scene(6);
  meshFactory.ghost(0);
  update();
  const found = drawn().map(({ batch, places }) => {
    const { transparent, opacity } = batch.material as { transparent: boolean; opacity: number };
    return { transparent, opacity, places: places.map(([x]) => x) };
  });
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ transparent: false, opacity: 1, places: [0, 2, 4] });
  expect(found).toContainEqual({ transparent: true, opacity: 0.16, places: [1, 3, 5] });
});

test("InstancedBatches.dispose removes all batches from the scene", () => {
  const { update, drawn, batches } = scene(3);
  update();
  batches.dispose();
  expect(drawn()).toEqual([]);
});
