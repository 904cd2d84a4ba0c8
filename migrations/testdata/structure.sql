-- The structure of a database, one line for each table, column, constraint, index, policy, trigger, function and right.
select concat_ws(' ', 'rel', c.oid::regclass, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions, (select string_agg(x, ', ' order by x) from unnest(c.relacl::text[]) x), c.relowner::regrole)
	from pg_class c
	where c.relnamespace::regnamespace::text in ('rowhouse', 'river', 'version', 'gate', 'dictionary')
union all
select concat_ws(' ', 'att', a.attrelid::regclass, a.attname, format_type(a.atttypid,a.atttypmod), a.attnotnull, a.attstattarget, (select string_agg(x, ', ' order by x) from unnest(a.attacl::text[]) x), (select pg_get_expr(d.adbin,d.adrelid)
	from pg_attrdef d where d.adrelid=a.attrelid and d.adnum=a.attnum))
	from pg_attribute a join pg_class c on c.oid=a.attrelid
	where c.relnamespace::regnamespace::text in ('rowhouse', 'river') and a.attnum>0 and not a.attisdropped
union all
select concat_ws(' ', 'con', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
	from pg_constraint
	where connamespace::regnamespace::text in ('rowhouse', 'river')
union all
select concat_ws(' ', 'idx', indexrelid::regclass, pg_get_indexdef(indexrelid))
	from pg_index join pg_class c on c.oid=indexrelid
	where c.relnamespace::regnamespace::text in ('rowhouse', 'river')
union all
select concat_ws(' ', 'pol', polrelid::regclass, polname, polcmd, (select string_agg(r::regrole::text,', ' order by r::regrole::text) from unnest(polroles) r), pg_get_expr(polqual,polrelid), pg_get_expr(polwithcheck,polrelid))
	from pg_policy join pg_class c on c.oid=polrelid
	where c.relnamespace::regnamespace::text in ('rowhouse', 'river')
union all
select concat_ws(' ', 'trg', tgrelid::regclass, tgname, pg_get_triggerdef(oid))
	from pg_trigger
	where not tgisinternal
union all
select concat_ws(' ', 'fun', p.oid::regprocedure, p.prokind, case when prokind='f' then md5(pg_get_functiondef(p.oid)) end, (select string_agg(x, ', ' order by x) from unnest(p.proacl::text[]) x), p.proowner::regrole)
	from pg_proc p
	where p.pronamespace::regnamespace::text in ('gate', 'river', 'rowhouse')
union all
select concat_ws(' ', 'nsp', nspname, nspowner::regrole, (select string_agg(x, ', ' order by x) from unnest(nspacl::text[]) x))
	from pg_namespace
	where nspname !~ '^(pg_|sql_login|information|org_)'
union all
select concat_ws(' ', 'typ', t.oid::regtype, typtype)
	from pg_type t
	where t.typnamespace::regnamespace::text='river' and typtype='e'
union all
select concat_ws(' ', 'col', collname, collprovider)
	from pg_collation
	where collnamespace::regnamespace::text in('gate')
union all
select concat_ws(' ', 'seq', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmax, seqcache)
	from pg_sequence
