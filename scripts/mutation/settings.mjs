// Settings of mutation testing: folders, sample sizes and time limits.

export const SETTINGS = {
  /** Folders of TypeScript, and of AssemblyScript, with the number of mutants of each kind. */
  methods: {
    folders: ["src/methods", "src/interfaces/projection"],
    count: 130,
  },
  kernels: { folders: ["assembly/dense", "assembly/bodies", "assembly/sparse"], count: 105 },
  /** Maximum mutants of one file: tables of coefficients would otherwise dominate the sample. */
  perFile: 6,
  seed: 20,
  /** Mutants at the same time, each in a copy with a process of its own. */
  lanes: 2,
  /** CPU seconds for the tests of one mutant. */
  seconds: 60,
  /** Seconds of tests in one batch, after which failures are checked. */
  heap: { least: 6, most: 32 },
  /** CPU seconds after which a batch counts as hanging: a minimum, and a multiple of the time of its tests. */
  hang: { least: 20, times: 4 },
};

/**
 * Tests that cannot detect a mutant: they run built files, read texts, or compare the release modules with those for
 * debugging, which are not rebuilt.
 */
export const BLIND =
  /^test\/(browser|package|cli|report|mutation|build)\/|^test\/(architecture|bits|text|loading)\.test\.ts$/;
