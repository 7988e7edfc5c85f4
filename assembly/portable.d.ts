// The AssemblyScript type available to layout.ts when tsc compiles it.
declare type i32 = number;
