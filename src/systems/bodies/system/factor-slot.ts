/** Identifies the solver that factored last and its state, and whether later states keep that factor. */
export interface FactorSlot {
  owner: object | undefined;
  generation: number;
  isKept: boolean;
}
