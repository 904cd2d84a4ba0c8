export default <T>(list: readonly T[]): T[] => [...new Set(list)];
