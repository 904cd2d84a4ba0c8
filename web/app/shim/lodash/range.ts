/** Numbers from one to before another; to before the first when there is no second. */
export default function range(first: number, second?: number, by?: number): number[] {
  const [start, end] = second === undefined ? [0, first] : [first, second];
  const step = by ?? (start < end ? 1 : -1);
  return Array.from({ length: Math.max(0, Math.ceil((end - start) / step)) }, (_, index) => start + index * step);
}
