export function OrgGeneral() { return <p>OrgGeneral</p>; }
