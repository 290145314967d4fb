/**
 * Where in an object a value comes from: "self", fields, "@items", "@keys". cel-go holds it in a slice and appends to slices that share
 * their memory, so that a longer path can change under a node that has it; estimates follow it in that, or costs would differ.
 */
export type DataPath = { readonly steps: string[]; readonly length: number; readonly capacity: number };

export const NO_PATH: DataPath = { steps: [], length: 0, capacity: 0 };

export function findDataPath(name: string): DataPath {
  return { steps: [name], length: 1, capacity: 1 };
}

export function append(path: DataPath, step: string): DataPath {
  const { steps, length, capacity } = path;
  if (length < capacity) {
    steps[length] = step;
    return { steps, length: length + 1, capacity };
  }
  return { steps: [...collectSteps(path), step], length: length + 1, capacity: Math.max(1, capacity * 2) };
}

export function collectSteps({ steps, length }: DataPath): readonly string[] {
  return steps.slice(0, length);
}
