"""What `kibitz` does on a portal, through its REST API: log in, upload, follow, read. Standard library only.

`http` talks to a portal, `store` keeps tokens, `session` knows which portal and contest a command is about, `screen`
writes answers. Each other module holds the commands of one subject, and `parsers` lists them all.
"""
