// What layout.ts may use of AssemblyScript's types when tsc compiles it.
declare type i32 = number;
