export function OrgAudit() { return <p>OrgAudit</p>; }
