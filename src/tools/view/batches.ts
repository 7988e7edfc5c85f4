// Meshes of shared shapes, painted together: all balls, all pins, all bars in one call each, whatever their colours. A call costs more than
// what it paints: of a frame of the HMMWV where the processor paints, a hundred calls took three quarters.
//
// The meshes themselves stay where they are in the tree of the scene, in a layer that no camera sees: what is picked, where things hang and
// whether they are seen is asked of them.

import {
  type BufferGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  type Mesh,
  MeshLambertMaterial,
  type Object3D,
} from "three";

/** Of meshes that are painted by a batch. */
const UNSEEN = 1;
/** Meshes of a batch, at first. */
const ROOM = 16;

interface Batch {
  readonly mesh: InstancedMesh;
  used: number;
}

export class Batches {
  readonly #space: Object3D;
  #meshes: readonly Mesh<BufferGeometry, MeshLambertMaterial>[] = [];
  /** By shape; what is faint, because another body is pointed at, is painted apart: one sees through it. */
  readonly #solid = new Map<BufferGeometry, Batch>();
  readonly #faint = new Map<BufferGeometry, Batch>();
  readonly #materials = {
    solid: new MeshLambertMaterial(),
    faint: new MeshLambertMaterial({ transparent: true, depthWrite: false }),
  };

  constructor(space: Object3D) {
    this.#space = space;
  }

  /** Takes over these meshes, in place of those before. */
  take(meshes: readonly Mesh[]): void {
    this.#meshes = meshes as readonly Mesh<BufferGeometry, MeshLambertMaterial>[];
    for (const mesh of meshes) mesh.layers.set(UNSEEN);
  }

  /** Puts all meshes where they are now. Matrices of the scene must be. */
  update(): void {
    for (const batch of [...this.#solid.values(), ...this.#faint.values()]) batch.used = 0;
    for (const mesh of this.#meshes) {
      if (!isSeen(mesh)) continue;
      const { material, geometry, matrixWorld } = mesh;
      const isFaint = material.transparent;
      if (isFaint) this.#materials.faint.opacity = material.opacity;
      const batch = this.#roomFor(geometry, isFaint);
      const at = batch.used++;
      matrixWorld.toArray(batch.mesh.instanceMatrix.array, 16 * at);
      batch.mesh.setColorAt(at, material.color);
    }
    for (const { mesh, used } of [...this.#solid.values(), ...this.#faint.values()]) {
      mesh.count = used;
      mesh.visible = used > 0;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** A batch that is full is made anew, twice as large, with what it holds. */
  #roomFor(geometry: BufferGeometry, isFaint: boolean): Batch {
    const batches = isFaint ? this.#faint : this.#solid;
    const found = batches.get(geometry);
    const room = found?.mesh.instanceMatrix.count ?? 0;
    if (found && found.used < room) return found;
    const material = isFaint ? this.#materials.faint : this.#materials.solid;
    const mesh = new InstancedMesh(geometry, material, Math.max(ROOM, 2 * room));
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * mesh.count), 3);
    mesh.frustumCulled = false;
    mesh.raycast = () => {};
    if (found) {
      mesh.instanceMatrix.array.set(found.mesh.instanceMatrix.array);
      mesh.instanceColor.array.set(found.mesh.instanceColor!.array);
      this.#remove(found);
    }
    this.#space.add(mesh);
    const batch = { mesh, used: found?.used ?? 0 };
    batches.set(geometry, batch);
    return batch;
  }

  #remove({ mesh }: Batch): void {
    mesh.removeFromParent();
    mesh.dispose();
  }

  dispose(): void {
    for (const batch of [...this.#solid.values(), ...this.#faint.values()]) this.#remove(batch);
    this.#solid.clear();
    this.#faint.clear();
    for (const material of Object.values(this.#materials)) material.dispose();
  }
}

function isSeen(mesh: Mesh): boolean {
  for (let each: Object3D | null = mesh; each !== null; each = each.parent) {
    if (!each.visible) return false;
  }
  return true;
}
