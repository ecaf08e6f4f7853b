/*
 * RandomPlayer.scala - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable
 * player: make it a little better, again and again.
 */
object RandomPlayer extends Acm98 {
  def startGame(): Unit = {}

  def startRound(): Unit = {}

  def takeCard(): Int = GAME.pool(random.nextInt(GAME.pool.size))

  def endTakes(): Unit = {}

  def playCard(): Int = {
    val legal = legalCards
    legal(random.nextInt(legal.size))
  }

  def endRound(): Unit = {}

  def main(args: Array[String]): Unit = run()
}
