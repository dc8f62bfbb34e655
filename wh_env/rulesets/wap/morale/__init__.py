"""Leadership and Psychology tests, the General and the Battle Standard Bearer, and causes of panic (wap.core.ldtest.*,
wap.general.*, wap.panic.*).
"""
