export function OrgPage() { return <p>OrgPage</p>; }
