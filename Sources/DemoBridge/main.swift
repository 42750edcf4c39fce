print("bridgehead")
