"""Bots that teams send us: upload, build, sandbox, check, versions."""
