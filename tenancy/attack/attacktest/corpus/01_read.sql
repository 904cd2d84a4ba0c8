--# plain read [row]
select * from {victim_table}
