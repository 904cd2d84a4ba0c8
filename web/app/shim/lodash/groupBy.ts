export default function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Record<string, T[]> {
  const groups: Record<string, T[]> = {};
  for (const one of list) (groups[keyOf(one)] ??= []).push(one);
  return groups;
}
