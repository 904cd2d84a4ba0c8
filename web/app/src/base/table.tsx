export function TablePage() { return <p>TablePage</p>; }
