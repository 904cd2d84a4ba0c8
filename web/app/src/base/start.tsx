export function BaseStart() { return <p>BaseStart</p>; }
