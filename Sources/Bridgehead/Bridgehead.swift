// Bridgehead
