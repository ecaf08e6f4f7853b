// Probe.scala - plays the commented game of 1998 as south did, and prints GAME and the helpers' results.
import Acm98._

object Probe extends Acm98 {
  private val takes = "h5 ck ha".split(" ").iterator
  private val plays = "dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha".split(" ").iterator
  private val places = Vector[Place](Hidden, Pool, Held, Table, Played)

  private def say(words: Any*): Unit = Console.err.println(words.map {
    case true => 1
    case false => 0
    case word => word
  }.mkString(" "))

  private def burn(): Unit = {
    val clock = java.lang.management.ManagementFactory.getThreadMXBean
    val ending = clock.getCurrentThreadCpuTime + 51000000
    while (sys.env.contains("BURN") && clock.getCurrentThreadCpuTime < ending) {}
  }

  def startGame(): Unit = say("game", GAME.hand.size)

  def startRound(): Unit = {
    burn()
    say("round", GAME.round, "dealer", playerName(GAME.dealer), "me", playerName(GAME.me), "hand", GAME.hand.size, "pool",
      GAME.pool.size, "clubs", countSuit(CLUBS))
  }

  def takeCard(): Card = cardFromName(takes.next()).get

  def endTakes(): Unit = {
    val hk = card(HEARTS, KING)
    say("takes over hand", GAME.hand.size, "east", cardName(GAME.take(EAST).head), "where", places.indexOf(GAME.where(hk)),
      "owner", playerName(GAME.owner(hk)))
  }

  def playCard(): Card = {
    burn()
    val mine = cardFromName(plays.next()).get
    say("trick", GAME.trickNumber, "leader", playerName(GAME.trick.leader), "lie", GAME.trick.count, "worth",
      GAME.trick.points, "legal", legalCards.size, cardName(mine), "ok", isLegal(mine), "wins", wouldWin(mine), "higher",
      countHigher(mine))
    mine
  }

  def endRound(): Unit = {
    val last = GAME.past(12)
    say("end", GAME.points.mkString(" "), "total", GAME.total.mkString(" "))
    val out = (CLUBS to SPADES).map(suit => if (GAME.isOut(SOUTH)(suit)) 1 else 0).mkString
    say("past", playerName(last.winner.get), last.points, "out", out, "left", GAME.cardsLeft(WEST), "seen",
      isSeen(cardFromName("d2").get), "next", playerName(nextPlayer(WEST)), "worth",
      trickPoints(13, GAME.past(4).card.values))
  }

  def main(args: Array[String]): Unit = run()
}
