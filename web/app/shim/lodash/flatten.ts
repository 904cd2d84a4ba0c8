export default <T>(list: readonly (T | readonly T[])[]): T[] => list.flat() as T[];
